/** `npm start`: the service for use. */
import { runService } from "@/scripts/support/run-service";

await runService("start");
