import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { ParameterValue } from '@deviceportal/contract/ssm-document';

/** What a secret shows itself as, in reads, audit events and previews. */
export const MASK = '••••••••';

/** No parameter can have this name: theirs begin with a letter. */
const SEALED = '$sealed';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** Parameters as `command_run.parameters` keeps them: secret ones only inside `$sealed`. */
export type StoredParameters = Readonly<Record<string, unknown>>;

/** Keeps secret parameters: AES-256-GCM, each bound to its run and name, so that it cannot be moved to another. */
export interface ParameterVault {
  seal(runId: string, values: ParameterValues, secretNames: readonly string[]): StoredParameters;
  /** The values to send to a device. @throws when a sealed one was changed or belongs to another run or key */
  open(runId: string, stored: StoredParameters): ParameterValues;
  /** The secret values alone, as the texts in which they may turn up in output. */
  secretTexts(runId: string, stored: StoredParameters): readonly string[];
}

/** @param key 32 bytes, kept by the installation outside the database */
export function createParameterVault(key: Uint8Array): ParameterVault {
  if (key.byteLength !== 32)
    throw new RangeError('the key of the parameter vault must have 32 bytes');
  const openAll = (runId: string, stored: StoredParameters): [string, ParameterValue][] =>
    Object.entries((stored[SEALED] ?? {}) as Record<string, string>).map(([name, box]) => [
      name,
      JSON.parse(open(key, box, `${runId}/${name}`)) as ParameterValue,
    ]);
  return {
    seal(runId, values, secretNames) {
      const entries = Object.entries(values);
      const secret = entries.filter(([name]) => secretNames.includes(name));
      if (secret.length === 0) return values;
      const boxes = secret.map(([name, value]) => [
        name,
        seal(key, JSON.stringify(value), `${runId}/${name}`),
      ]);
      const plain = entries.filter(([name]) => !secretNames.includes(name));
      return { ...Object.fromEntries(plain), [SEALED]: Object.fromEntries(boxes) };
    },
    open(runId, stored) {
      const { [SEALED]: _sealed, ...plain } = stored;
      return { ...(plain as ParameterValues), ...Object.fromEntries(openAll(runId, stored)) };
    },
    secretTexts(runId, stored) {
      return openAll(runId, stored).flatMap(([, value]) => textsOf(value));
    },
  };
}

/** The same parameters with secrets hidden. */
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

function seal(key: Uint8Array, text: string, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

function open(key: Uint8Array, box: string, owner: string): string {
  const bytes = Buffer.from(box, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
