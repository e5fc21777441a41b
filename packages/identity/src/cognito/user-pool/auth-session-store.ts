import type { ChallengeRound } from '../triggers/challenge-triggers.ts';
import type { Queryable } from '../../database/in-transaction.ts';

/** Data of a Session text: the challenge and the previous rounds. */
export interface AuthSession {
  readonly sessionHash: Buffer;
  readonly clientId: string;
  /** Null for a user who does not exist, when that is kept secret. */
  readonly sub: string | null;
  readonly username: string;
  /** The typed identifier, which shows whether email or phone is used. */
  readonly identifier: string;
  readonly challengeName: string;
  readonly rounds: readonly ChallengeRound[];
  readonly challengeMetadata: string | null;
  readonly privateParameters: Readonly<Record<string, string>>;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

const COLUMNS = `session_hash as "sessionHash", client_id as "clientId", sub, username, identifier,
  challenge_name as "challengeName", rounds, challenge_metadata as "challengeMetadata",
  private_parameters as "privateParameters", created_at as "createdAt", expires_at as "expiresAt",
  used_at as "usedAt"`;

export async function insertAuthSession(db: Queryable, session: AuthSession): Promise<void> {
  await db.query(
    `insert into identity.auth_session (session_hash, client_id, sub, username, identifier,
       challenge_name, rounds, challenge_metadata, private_parameters, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      session.sessionHash,
      session.clientId,
      session.sub,
      session.username,
      session.identifier,
      session.challengeName,
      JSON.stringify(session.rounds),
      session.challengeMetadata,
      JSON.stringify(session.privateParameters),
      session.createdAt,
      session.expiresAt,
    ],
  );
}

export async function findAuthSession(
  db: Queryable,
  sessionHash: Buffer,
): Promise<AuthSession | undefined> {
  const answer = await db.query<AuthSession>(
    `select ${COLUMNS} from identity.auth_session where session_hash = $1`,
    [sessionHash],
  );
  return answer.rows[0];
}

/** @returns true for exactly one caller, who uses the session up */
export async function consumeAuthSession(
  db: Queryable,
  sessionHash: Buffer,
  now: Date,
): Promise<boolean> {
  const answer = await db.query(
    'update identity.auth_session set used_at = $2 where session_hash = $1 and used_at is null',
    [sessionHash, now],
  );
  return answer.rowCount === 1;
}
