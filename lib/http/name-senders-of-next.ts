import { beforeNext } from "@/lib/http/before-next";
import { letHandOn, nameSender } from "@/lib/http/handed-on-calls";

/** Has each call of this process say where it comes from, whatever a client wrote there, where Next alone serves. */
export function nameSendersOfNext(): void {
  beforeNext("named-senders", ({ request }) => {
    nameSender(request);
    letHandOn(request);
  });
}
