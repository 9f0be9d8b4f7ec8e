import { Guide, GuidePart, Points, Text } from "@/components/docs/guide";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { endUserSnippets } from "@/components/docs/snippets/end-users";

/** How to serve one's own customers. */
export function EndUsersGuide({ apiUrl }: { apiUrl: string }) {
  const snippets = endUserSnippets(apiUrl);
  return (
    <Guide
      lead="Serve many customers with one key: name the customer in each call, and their sessions stay apart."
      title="End users and memory"
    >
      <GuidePart id="name" title="Name the end user">
        <Text>
          `endUserId` is a string of your own: 1 to 128 characters, letters, digits and `. _ @ : + = | ~ -`, beginning
          with a letter or digit. There is nothing to create: an end user exists from its first use.
        </Text>
        <SnippetTabs group={snippets.name} />
      </GuidePart>
      <GuidePart id="apart" title="Apart from each other">
        <Text>
          A session of one end user does not exist for another: reading or continuing it is a 404. Pass the id of
          whoever is signed in with you on every call, reads too.
        </Text>
        <SnippetTabs group={snippets.apart} />
        <Points
          items={[
            "A call without `endUserId` is your own: it reaches every session of the project.",
            "A session made without one cannot be used with one.",
          ]}
        />
      </GuidePart>
      <GuidePart id="list" title="What an end user did">
        <SnippetTabs group={snippets.list} />
      </GuidePart>
      <GuidePart id="delete" title="Delete a conversation">
        <Text>
          When somebody wants a conversation or a document gone, your backend deletes it: `POST /chat/:sessionId/delete`
          for a session of either kind, `POST /process/:id/delete` for a processing. It goes for good with its messages,
          files, answers and deliveries; what still runs in it is canceled and costs nothing.
        </Text>
        <SnippetTabs group={snippets.remove} />
        <Points
          items={[
            "Send it again when no answer came: a 404 says that it is gone.",
            "Usage keeps what it cost. A profile keeps what it learned: forget it in the panel, End users, where everything of somebody can be exported and erased at once, too.",
          ]}
        />
      </GuidePart>
      <GuidePart id="limit" title="A limit for each of them">
        <Text>
          In the panel, Settings, Project, you can say how many credits each end user may use in a calendar month (UTC).
          Whoever has used them is refused with 402 `END_USER_LIMIT_REACHED`, in sessions that you continue in your own
          name too. Calls that come at the same moment may pass together, and one may cost more than was left:
          `maxCredits` limits that.
        </Text>
      </GuidePart>
      <GuidePart id="memory" title="Memory">
        <Points
          items={[
            "Switched on for the project in the panel, the AI keeps a profile of each end user: lasting facts and wishes, in Markdown, at most 4,000 characters.",
            "It is learned from completed turns and given to later calls of the same end user, and of nobody else.",
            "Passwords, keys and card numbers are left out. Learning costs you nothing.",
            "In the panel, End users, each profile can be read, changed and forgotten.",
          ]}
        />
      </GuidePart>
      <GuidePart id="knowledge" title="Knowledge of the project">
        <Text>
          What every call should know, such as prices, policies and tone, are Markdown files in the panel’s knowledge
          base. They are given to the AI with each chat and each file of the project. The API has no calls for them.
        </Text>
      </GuidePart>
    </Guide>
  );
}
