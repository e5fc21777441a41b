import { signStatement, statementTypes } from '@deviceportal/command-signing/signed-statement';
import type { FileStatement } from '@deviceportal/device-protocol/file-statement';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import type { DeviceFilesDeps } from './device-files-deps.ts';

type Action<Of> = Of extends FileStatement ? Omit<Of, keyof Common> : never;
type Common = Pick<
  FileStatement,
  'request' | 'deviceId' | 'authorizedBy' | 'userName' | 'reason' | 'startBefore' | 'path'
>;

export interface SignedRequest {
  readonly id: string;
  readonly deviceId: string;
  readonly userId: string;
  readonly username: string;
  readonly reason: string;
  readonly path: string;
  readonly validMs: number;
  readonly does: Action<FileStatement>;
}

/** Signs what the device is asked for. Everything that it acts on is in the signed text. */
export function signFileRequest(
  { signing, clock }: Pick<DeviceFilesDeps, 'signing' | 'clock'>,
  { id, deviceId, userId, username, reason, path, validMs, does }: SignedRequest,
): Promise<SignedStatement> {
  const statement: FileStatement = {
    ...{ request: id, deviceId, path, ...does },
    authorizedBy: { id: userId },
    userName: username.slice(0, 200),
    reason: reason.slice(0, 1_000),
    startBefore: new Date(clock().getTime() + validMs).toISOString(),
  };
  return signStatement(statementTypes.fileRequest, statement, signing.keys.current);
}
