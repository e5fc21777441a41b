import type { StatusMessage } from './messages.ts';

/**
 * Versions of the protocol between agent and server. An agent states its version in its birth
 * message:
 *
 * - 1: no signatures. Agents before signed runs; some lack undo, documents that run documents, the
 *   parameter store, and files of the portal.
 * - 2: verifies signatures of commands, and supports all their features.
 * - 3: also verifies signatures of its updates.
 * - 4: states its version, and takes settings of its connection from the server: several brokers and
 *   their authorities, interval of heartbeats.
 *
 * Additions that either side can ignore do not change it.
 */
export const PROTOCOL_VERSION = 4;

/** The first version with all features of commands. */
export const PROTOCOL_OF_ALL_COMMANDS = 2;

/**
 * The supported versions: agents that verify commands and updates. Others are admitted, shown as
 * unsupported, and not sent commands that they cannot run.
 */
export const SUPPORTED_PROTOCOLS = { oldest: 3, newest: PROTOCOL_VERSION } as const;

/** The version of an agent. Agents that state none differ by the keys that they report. */
export function protocolOf({
  protocol,
  runKeys,
  releaseKeys,
}: Pick<StatusMessage, 'protocol' | 'runKeys' | 'releaseKeys'>): number {
  if (protocol !== undefined) return protocol;
  if (releaseKeys !== undefined) return 3;
  return runKeys === undefined ? 1 : 2;
}
