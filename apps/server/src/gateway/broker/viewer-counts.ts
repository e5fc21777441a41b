import { CONNECTIONS_PER_VIEWER } from '@deviceportal/contract/device-limits';

/** Counts the open connections of each viewer. */
export class ViewerCounts {
  readonly #counts = new Map<string, number>();

  isFull(viewerId: string): boolean {
    return (this.#counts.get(viewerId) ?? 0) >= CONNECTIONS_PER_VIEWER;
  }

  add(viewerId: string): void {
    this.#counts.set(viewerId, (this.#counts.get(viewerId) ?? 0) + 1);
  }

  remove(viewerId: string): void {
    const left = (this.#counts.get(viewerId) ?? 0) - 1;
    if (left > 0) this.#counts.set(viewerId, left);
    else this.#counts.delete(viewerId);
  }
}
