import { buildTargetTree, type TargetTree } from '@deviceportal/command-signing/target-tree';

/** Maximum number of devices in all trees: about 50 MB. */
const MAX_DEVICES = 600_000;

/**
 * Cache of the trees of runs that are being sent. A tree is built once, when a run is signed, or when another server
 * sends it.
 */
export class TargetTrees {
  readonly #trees = new Map<string, Promise<TargetTree>>();
  readonly #sizes = new Map<string, number>();

  /** @param ids called only if the tree is not cached: 16 bytes each, sorted */
  async of(runId: string, ids: () => Promise<Uint8Array>): Promise<TargetTree> {
    const known = this.#trees.get(runId);
    if (known !== undefined) return known;
    const tree = ids().then(buildTargetTree);
    this.#trees.set(runId, tree);
    try {
      this.#sizes.set(runId, (await tree).count);
      this.#forgetOldest();
      return await tree;
    } catch (error) {
      this.#trees.delete(runId);
      throw error;
    }
  }

  forget(runId: string): void {
    this.#trees.delete(runId);
    this.#sizes.delete(runId);
  }

  #forgetOldest(): void {
    let devices = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [runId, size] of this.#sizes) {
      if (devices <= MAX_DEVICES || this.#sizes.size === 1) return;
      devices -= size;
      this.forget(runId);
    }
  }
}
