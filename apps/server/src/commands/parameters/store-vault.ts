import type { TextVault } from '../output/text-vault.ts';

/** Key of the parameter store values among a run's parameters. No parameter can have this name. */
export const STORE = '$store';

/** A value as resolved for a run. */
export interface StoredValue {
  readonly value: string;
  readonly secret: boolean;
  /** Earlier values of a secret parameter, which are masked as well. */
  readonly older: readonly string[];
}

/** By reference: `ssm:name`. */
export type StoreContent = Readonly<Record<string, StoredValue>>;

/** A run's parameters with its parameter store values, all of which are encrypted. */
export function sealStore(
  vault: Pick<TextVault, 'sealText'>,
  run: { readonly id: string; readonly parameters: Readonly<Record<string, unknown>> },
  content: StoreContent,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(content);
  if (entries.length === 0) return run.parameters;
  const boxes = entries.map(([key, stored]) => [
    key,
    vault.sealText(ownerOf(run.id, key), JSON.stringify(stored)),
  ]);
  return { ...run.parameters, [STORE]: Object.fromEntries(boxes) };
}

/** @throws if a value was changed or belongs to another run or key */
export function openStore(
  vault: Pick<TextVault, 'openText'>,
  run: { readonly id: string; readonly parameters: Readonly<Record<string, unknown>> },
): StoreContent {
  const boxes = (run.parameters[STORE] ?? {}) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(boxes).map(([key, box]) => [
      key,
      JSON.parse(vault.openText(ownerOf(run.id, key), box)) as StoredValue,
    ]),
  );
}

/** The texts of secret values that output can contain: of a list, the whole and its items. */
export function secretTextsOfStore(content: StoreContent): string[] {
  return Object.values(content)
    .filter(({ secret }) => secret)
    .flatMap(({ value, older }) => [value, ...older])
    .flatMap((text) => [text, ...text.split(',')]);
}

const ownerOf = (runId: string, key: string): string => `${runId}/${STORE}/${key}`;
