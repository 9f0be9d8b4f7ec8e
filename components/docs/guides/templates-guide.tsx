import { Guide, GuidePart, Points, Text } from "@/components/docs/guide";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { templateSnippets } from "@/components/docs/snippets/templates";

/** How to keep prompts on the server. */
export function TemplatesGuide({ apiUrl }: { apiUrl: string }) {
  const snippets = templateSnippets(apiUrl);
  return (
    <Guide lead="Prompts with variables, kept on the server and used by their id." title="Templates">
      <GuidePart id="create" title="Create one">
        <Text>
          {
            "`{{name}}` in the text is a placeholder. A value in `variables` is its default; without one, each call has to pass it."
          }
        </Text>
        <SnippetTabs group={snippets.create} />
      </GuidePart>
      <GuidePart id="use" title="Use it">
        <Text>
          `/chat`, `/process`, `/process/batch` and `/b2b/send` take `templateId` and `templateVars`. In multipart
          forms, `templateVars` is a JSON string.
        </Text>
        <SnippetTabs group={snippets.use} />
        <Points
          items={[
            "`{{message}}` takes the call’s message; a template without it gets the message behind its text.",
            "`{{prompt}}` takes the prompt of a call with a file.",
            "A value is never searched for placeholders again: what your customers write stays text.",
            "A placeholder without a value is a 400 `TEMPLATE_VARIABLE_MISSING` that names each.",
          ]}
        />
      </GuidePart>
      <GuidePart id="upload" title="From a file">
        <Text>A `.md` or `.txt` file in UTF-8 of up to 1 MB becomes a template named after it.</Text>
        <SnippetTabs group={snippets.upload} />
      </GuidePart>
      <GuidePart id="versions" title="Change it">
        <Text>
          Each change of text or variables is a new version; old ones never change. Calls take the newest unless they
          say `templateVersion`. Of a template the newest 10 MB of versions are kept; the oldest go.
        </Text>
        <Text>
          To try a change before your customers meet it, open the version that works, under Versions in the panel, and
          let calls use it: what is saved later waits until an owner or admin releases it. The template’s record then
          has `liveVersion`.
        </Text>
        <SnippetTabs group={snippets.change} />
      </GuidePart>
    </Guide>
  );
}
