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

/** Why a command is not what was signed. */
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

/** The statement that trusted keys have signed, or why there is none. */
export type ReadStatement = (
  signed: SignedStatement,
  trusted: readonly TrustedKey[],
) => RunStatement | SignatureFault;

export interface CheckingDevice {
  readonly deviceId: string;
  /** The keys whose signatures count; at least one. */
  readonly trusted: readonly TrustedKey[];
  readonly read: ReadStatement;
}

/** Null where a command is, in every part that decides what happens on this device, what a trusted key has signed. */
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
 * Reads each statement once: thousands of simulated devices get the same one. Found again only by the very bytes of
 * statement, signatures and trusted keys.
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

/** Only an undo uses notes of another command. */
const isOwnNotes = ({ isUndo, undoNotesOf, invocationId }: CommandMessage): boolean =>
  isUndo || undoNotesOf === null || undoNotesOf === invocationId;

/** A version may have been blocked since, and is not offered then; what is offered was signed. */
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
