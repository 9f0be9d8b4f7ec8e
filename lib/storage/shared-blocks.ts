/**
 * Memory that two threads see, in blocks that go round. Such memory is freed once both threads have collected what stood for
 * it, and a thread that makes next to no garbage hardly ever collects: with a block for each file, the memory of hundreds of
 * files that were long done stayed.
 */
export class SharedBlocks {
  private readonly free: Uint8Array[] = [];
  private readonly waiting: ((block: Uint8Array) => void)[] = [];
  private made = 0;

  /** @param most blocks there ever are; who comes while all are in use waits for one, in order of arrival */
  constructor(
    private readonly blockBytes: number,
    private readonly most: number,
  ) {}

  /** Lends a block, whatever stands in it, until the work ends. */
  async use<T>(work: (block: Uint8Array) => Promise<T>): Promise<T> {
    const block = await this.take();
    try {
      return await work(block);
    } finally {
      this.give(block);
    }
  }

  private take(): Uint8Array | Promise<Uint8Array> {
    const free = this.free.pop();
    if (free) return free;
    if (this.made === this.most) return new Promise((resolve) => this.waiting.push(resolve));
    this.made += 1;
    return new Uint8Array(new SharedArrayBuffer(this.blockBytes));
  }

  private give(block: Uint8Array): void {
    const next = this.waiting.shift();
    if (next) next(block);
    else this.free.push(block);
  }
}
