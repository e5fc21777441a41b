import type { ProofTools } from './proof-tools.ts';
import { fromHex, toHex } from './hashing.ts';

const ID_BYTES = 16;
const HASH_BYTES = 32;
const ENTRY_BYTES = ID_BYTES + HASH_BYTES;

/** Leaf hashes with their IDs, 48 bytes each, because a month can have millions. */
export class LeafList {
  #bytes = new Uint8Array(64 * ENTRY_BYTES);
  #count = 0;
  #isSorted = true;
  #lastId = '';

  get count(): number {
    return this.#count;
  }

  add(id: string, leaf: Uint8Array): void {
    const at = this.#count * ENTRY_BYTES;
    if (at === this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(fromHex(id.replaceAll('-', '')), at);
    this.#bytes.set(leaf, at + ID_BYTES);
    this.#isSorted &&= id > this.#lastId;
    this.#lastId = id;
    this.#count += 1;
  }

  /** SHA-256 over the leaf hashes in the order of their IDs, hexadecimal. */
  digest(createSha256: ProofTools['createSha256']): string {
    const all = createSha256();
    for (const entry of this.#order()) {
      const at = entry * ENTRY_BYTES + ID_BYTES;
      all.update(this.#bytes.subarray(at, at + HASH_BYTES));
    }
    return toHex(all.digest());
  }

  #order(): Uint32Array {
    const order = Uint32Array.from({ length: this.#count }, (_, index) => index);
    return this.#isSorted ? order : order.toSorted((one, other) => this.#compare(one, other));
  }

  #compare(one: number, other: number): number {
    for (let index = 0; index < ID_BYTES; index += 1) {
      const difference =
        this.#bytes[one * ENTRY_BYTES + index]! - this.#bytes[other * ENTRY_BYTES + index]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
