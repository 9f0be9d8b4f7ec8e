/** `npm run dev`: the service with reload. */
import { runService } from "@/scripts/support/run-service";

await runService("run dev");
