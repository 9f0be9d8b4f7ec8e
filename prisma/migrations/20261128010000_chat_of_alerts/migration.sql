-- Where an account's alerts are told of in its team's chat. Whoever has the address may write there, so it is sealed.
CREATE TABLE "alert_chats" (
    "account_id" TEXT NOT NULL,
    "app" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "address_encrypted" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "alert_chats_pkey" PRIMARY KEY ("account_id")
);

ALTER TABLE "alert_chats" ADD CONSTRAINT "alert_chats_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is on its way there: it goes with the address when that is removed.
CREATE TABLE "chat_messages" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "chat_messages_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "chat_messages_account_id_idx" ON "chat_messages"("account_id");
CREATE INDEX "chat_messages_created_at_idx" ON "chat_messages"("created_at");

ALTER TABLE "chat_messages" ADD CONSTRAINT "chat_messages_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "alert_chats"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An open alert is told of in the chat once, whether or not anybody is mailed of it.
ALTER TABLE "alerts" ADD COLUMN "chatted_at" TIMESTAMPTZ(3);
