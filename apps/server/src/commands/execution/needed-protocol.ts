import { PROTOCOL_OF_ALL_COMMANDS } from '@deviceportal/device-protocol/protocol-version';
import { neededSoftware } from './needed-software.ts';

/** What a command uses of an agent. */
export interface CommandUse {
  readonly content: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly hasSubDocuments: boolean;
  readonly hasStoreValues: boolean;
  readonly isUndo: boolean;
}

/**
 * Oldest version of the protocol with which an agent can run a command. Older agents ignore these parts of the message:
 * they would run the command without them, and fail or do something else.
 */
export function neededProtocol(use: CommandUse): number {
  const usesMore =
    use.hasSubDocuments ||
    use.hasStoreValues ||
    use.isUndo ||
    neededSoftware(use.content, use.parameters).length > 0;
  return usesMore ? PROTOCOL_OF_ALL_COMMANDS : 1;
}
