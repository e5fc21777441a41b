import type { ParameterValue } from '@deviceportal/contract/ssm-document';
import type { KeySource } from '../../platform/secrets/derived-keys.ts';
import { openStore, secretTextsOfStore, STORE } from './store-vault.ts';
import { createTextVault, type TextVault } from '../output/text-vault.ts';

/** Replaces secrets in responses, audit events, and previews. */
export const MASK = '••••••••';

/** Key of the encrypted parameters. Parameter names start with a letter, so none can have this name. */
export const SEALED = '$sealed';

export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** Parameters as stored in `command_run.parameters`: secret values only inside `$sealed`. */
export type StoredParameters = Readonly<Record<string, unknown>>;

/** Encrypts secret parameters, each bound to its run and name. */
export interface ParameterVault extends TextVault {
  seal(runId: string, values: ParameterValues, secretNames: readonly string[]): StoredParameters;
  /**
   * The values to send to a device.
   * @throws if an encrypted value was changed or belongs to another run or key
   */
  open(runId: string, stored: StoredParameters): ParameterValues;
  /** The parameters with all encrypted values encrypted with the current key; null if they already are. */
  reseal(runId: string, stored: StoredParameters): StoredParameters | null;
  /** Secret values only, including earlier values from the parameter store, as the texts that output can contain. */
  secretTexts(runId: string, stored: StoredParameters): readonly string[];
}

/** @param source keys of 32 bytes each, stored outside the database */
export function createParameterVault(source: KeySource): ParameterVault {
  const texts = createTextVault(source);
  const openAll = (runId: string, stored: StoredParameters): [string, ParameterValue][] =>
    Object.entries((stored[SEALED] ?? {}) as Record<string, string>).map(([name, box]) => [
      name,
      JSON.parse(texts.openText(`${runId}/${name}`, box)) as ParameterValue,
    ]);
  return {
    ...texts,
    seal(runId, values, secretNames) {
      const entries = Object.entries(values);
      const secret = entries.filter(([name]) => secretNames.includes(name));
      if (secret.length === 0) return values;
      const boxes = secret.map(([name, value]) => [
        name,
        texts.sealText(`${runId}/${name}`, JSON.stringify(value)),
      ]);
      const plain = entries.filter(([name]) => !secretNames.includes(name));
      return { ...Object.fromEntries(plain), [SEALED]: Object.fromEntries(boxes) };
    },
    open(runId, stored) {
      const { [SEALED]: _sealed, [STORE]: _store, ...plain } = stored;
      return { ...(plain as ParameterValues), ...Object.fromEntries(openAll(runId, stored)) };
    },
    reseal(runId, stored) {
      const parts = [SEALED, STORE].map((part) => {
        const boxes = (stored[part] ?? {}) as Record<string, string>;
        const owner = part === STORE ? `${runId}/${STORE}` : runId;
        const sealed = Object.entries(boxes).map(
          ([name, box]) => [name, box, texts.resealText(`${owner}/${name}`, box)] as const,
        );
        return { part, sealed };
      });
      if (parts.every(({ sealed }) => sealed.every(([, , again]) => again === null))) return null;
      const changed = parts
        .filter(({ sealed }) => sealed.length > 0)
        .map(({ part, sealed }) => [
          part,
          Object.fromEntries(sealed.map(([name, box, again]) => [name, again ?? box])),
        ]);
      return { ...stored, ...Object.fromEntries(changed) };
    },
    secretTexts(runId, stored) {
      const store = openStore(texts, { id: runId, parameters: stored });
      const own = openAll(runId, stored).flatMap(([, value]) => textsOf(value));
      return [...own, ...secretTextsOfStore(store)];
    },
  };
}

/** The parameters with secrets masked. */
export function maskParameters(
  values: ParameterValues,
  secretNames: readonly string[],
): Readonly<Record<string, ParameterValue>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      secretNames.includes(name) ? MASK : value,
    ]),
  );
}

function textsOf(value: ParameterValue): string[] {
  if (typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap((item: string | Readonly<Record<string, string>>) =>
    typeof item === 'string' ? [item] : Object.values(item),
  );
}
