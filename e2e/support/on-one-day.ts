import { dateOf } from "@/lib/domain/usage-period";

/**
 * Has a test of what counts by days or months (UTC) done anew where midnight came between: what it began on one day counts on
 * the next, and it is neither wrong nor to be left to a second try. Where no day ended, what failed has failed.
 * @param act makes all that it looks at, so that a further time begins with nothing
 */
export async function onOneDay(act: (today: string) => Promise<void>): Promise<void> {
  for (;;) {
    const today = dateOf(new Date());
    try {
      return await act(today);
    } catch (error) {
      if (dateOf(new Date()) === today) throw error;
    }
  }
}
