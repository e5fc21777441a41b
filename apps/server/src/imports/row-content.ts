import type { TextVault } from '../commands/output/text-vault.ts';

/** What a row says, and what it changes. It can name people, so it is stored sealed. */
export interface RowContent {
  /** Serial number or username; null if it cannot be read. */
  readonly key: string | null;
  /** The values of the row; null if one of them is invalid. */
  readonly given: unknown;
  readonly before: unknown;
  readonly after: unknown;
  /** Facts and English message of its refusal. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  readonly message: string;
}

export const sealContent = (vault: TextVault, rowId: string, content: RowContent): string =>
  vault.sealText(rowId, JSON.stringify(content));

/** @throws if it was changed, or belongs to another row or key */
export const openContent = (
  vault: TextVault,
  { id, sealed }: { readonly id: string; readonly sealed: string },
): RowContent => JSON.parse(vault.openText(id, sealed)) as RowContent;
