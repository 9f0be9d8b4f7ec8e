import { removeChat, setChat, testChat } from "@/app/panel/(owner)/settings/company/actions";
import { AlertChat } from "@/components/account/alert-chat";
import { AlertChatForm } from "@/components/account/alert-chat-form";
import { LiveRefresh } from "@/components/home/live-refresh";
import { Section } from "@/components/ui/section";
import type { AlertChatRecord } from "@/lib/contracts/alert-chat";

const TEST_REFRESH_MS = 1_500;

/** Where the company's alerts are told of in its chat; shows by itself how a test went. */
export function AlertChatSection({ chat }: { chat: AlertChatRecord | null }) {
  return (
    <Section
      isFramed
      text="News of failed receivers, of credits, tokens and limits that run out, and of keys that end is posted there. Mails go out all the same."
      title="Alerts in your team’s chat"
    >
      {chat?.isTested ? <LiveRefresh everyMs={TEST_REFRESH_MS} /> : null}
      {chat ? (
        <AlertChat chat={chat} remove={removeChat} replace={setChat} test={testChat.bind(null, {})} />
      ) : (
        <div className="max-w-[440px]">
          <AlertChatForm save={setChat} />
        </div>
      )}
    </Section>
  );
}
