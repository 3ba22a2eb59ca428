/** A step of a generator; small, so that callers inline it. */
export function step(seed: number): number {
  return (seed * 22695477 + 1) | 0;
}
