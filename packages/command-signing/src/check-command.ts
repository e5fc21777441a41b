import type { CommandMessage } from '@deviceportal/device-protocol/messages';
import { canonicalJson } from './canonical-json.ts';
import { describeInstructions } from './run-digests.ts';
import { runStatementSchema, type RunStatement, type SignedSoftware } from './run-statement.ts';
import {
  faultOfStatement,
  statementTypes,
  type SignedStatement,
  type TrustedKey,
} from './signed-statement.ts';
import { isTarget } from './target-tree.ts';

/** Why a command does not match its signed statement. */
export const signatureFaults = [
  'unsigned',
  'unknown-key',
  'wrong-signature',
  'other-run',
  'other-device',
  'expiry',
  'document',
  'parameters',
  'settings',
  'software',
] as const;
export type SignatureFault = (typeof signatureFaults)[number];

/** Reads a statement that is signed by a trusted key, or returns the fault. */
export type ReadStatement = (
  signed: SignedStatement,
  trusted: readonly TrustedKey[],
) => RunStatement | SignatureFault;

export interface CheckingDevice {
  readonly deviceId: string;
  /** Trusted keys; at least one. */
  readonly trusted: readonly TrustedKey[];
  readonly read: ReadStatement;
}

/**
 * Null if every part of the command that affects this device matches a statement signed by a
 * trusted key.
 */
export function findSignatureFault(
  command: CommandMessage,
  { deviceId, trusted, read }: CheckingDevice,
): SignatureFault | null {
  const { authorization } = command;
  if (authorization === undefined) return 'unsigned';
  const statement = read(authorization.statement, trusted);
  if (typeof statement === 'string') return statement;
  const { targets, instructions } = statement;
  if (statement.runId !== command.runId) return 'other-run';
  if (!isTarget(targets, deviceId, authorization.target)) return 'other-device';
  if (Date.parse(command.deliverBefore) > Date.parse(statement.deliverBefore)) return 'expiry';
  if (!isOwnNotes(command)) return 'settings';
  if (!isSignedSoftware(command.software ?? [], instructions.software)) return 'software';
  const { blinding } = authorization;
  const actual = describeInstructions(command, { blinding, software: instructions.software });
  if (!isSame([actual.document, actual.documents], [instructions.document, instructions.documents]))
    return 'document';
  if (actual.parameters !== instructions.parameters) return 'parameters';
  return isSame(actual, instructions) ? null : 'settings';
}

export const readStatement: ReadStatement = (signed, trusted) => {
  const fault = faultOfStatement(statementTypes.run, signed, trusted);
  if (fault !== null) return fault;
  const parsed = runStatementSchema.safeParse(JSON.parse(signed.payload));
  return parsed.success ? parsed.data : 'wrong-signature';
};

/**
 * Creates a reader that caches statements, because thousands of simulated devices get the same one.
 * The cache key is the exact statement, signatures, and trusted keys.
 */
export function createStatementReader(most = 64): ReadStatement {
  const known = new Map<string, ReturnType<ReadStatement>>();
  return (signed, trusted) => {
    const key = JSON.stringify([signed, trusted.map(({ keyId }) => keyId)]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const read = readStatement(signed, trusted);
    if (known.size >= most) known.clear();
    known.set(key, read);
    return read;
  };
}

/** Only an undo can use the data of another invocation. */
const isOwnNotes = ({ isUndo, undoNotesOf, invocationId }: CommandMessage): boolean =>
  isUndo || undoNotesOf === null || undoNotesOf === invocationId;

/** A version that was blocked since is not offered, but every offered version must be signed. */
function isSignedSoftware(
  offered: readonly SignedSoftware[],
  signed: readonly SignedSoftware[],
): boolean {
  return offered.every(({ component, version, sha256, bytes }) =>
    signed.some((one) => isSame(one, { component, version, sha256, bytes })),
  );
}

const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(one) === canonicalJson(other);
