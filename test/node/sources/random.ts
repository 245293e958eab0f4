/** A small seeded generator of random choices, so that every failure can be repeated. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Picks by weight. */
  weighted<T>(list: readonly (readonly [number, T])[]): T {
    const total = list.reduce((sum, [weight]) => sum + weight, 0);
    let rest = this.next() * total;
    for (const [weight, value] of list) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return (list.at(-1) as readonly [number, T])[1];
  }
}
