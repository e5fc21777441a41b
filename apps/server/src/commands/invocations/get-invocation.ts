import type { z } from 'zod';
import type {
  getInvocationInput,
  InvocationArtifact,
  InvocationDetail,
  InvocationStep,
} from '@deviceportal/contract/invocations';
import { INVOCATION_WAIT_LIMIT_MS } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { isFinal } from '@deviceportal/contract/states';
import { maskUser } from '../../people/mask-person.ts';
import { holderOf } from '../../platform/person-links.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findArtifacts } from '../data/artifact-queries.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findInvocation } from '../data/invocation-queries.ts';
import { revealInvocations, type FoundInvocation } from './reveal-invocations.ts';
import { maskSecrets } from '../output/mask-secrets.ts';
import { readOutput } from '../output/read-output.ts';

/**
 * An invocation with its steps, the output after the given offsets, and its files.
 *
 * @throws PortalError 5000 if there is no such invocation within the viewer's scope
 */
export async function getInvocation(
  deps: CommandsDeps,
  viewer: Viewer,
  input: z.infer<typeof getInvocationInput>,
): Promise<InvocationDetail> {
  const { database, vault } = deps;
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const stored = await findInvocation(database.orm, scopes, input.id);
  const [found] = await revealInvocations(database.orm, vault, stored ? [stored] : []);
  if (found === undefined) {
    throw new PortalError('invocationNotFound', { facts: { invocationId: input.id } });
  }
  const { row, facts } = found;
  const output = { invocationId: row.id, truncated: facts.outputTruncated, secrets: facts.secrets };
  const [stdout, stderr, artifacts] = await Promise.all([
    readOutput(database.orm, {
      ...output,
      stream: 'stdout',
      from: input.stdoutFrom,
      total: facts.stdoutLength,
    }),
    readOutput(database.orm, {
      ...output,
      stream: 'stderr',
      from: input.stderrFrom,
      total: facts.stderrLength,
    }),
    findArtifacts(database.orm, row.id),
  ]);
  return {
    ...row,
    createdBy: maskUser(row.createdBy, viewer),
    steps: stepsOf(found),
    stdout,
    stderr,
    artifacts: artifacts.map((artifact): InvocationArtifact => ({
      ...artifact,
      downloadUrl: deps.signArtifactUrl(artifact.id, holderOf(viewer)),
    })),
    deviceOnline: facts.connectivity === 'online' || facts.connectivity === 'degraded',
    deliverBefore: facts.deliverBefore,
    expiresAt: facts.expiresAt,
    consequence: facts.consequence,
    comment: facts.comment,
    undoes: facts.undoes,
    waitFailed: hasGoneSilent(found, deps.clock()),
  };
}

/** Steps that the device has not reported yet are shown as in the document. */
function stepsOf({ row, facts }: FoundInvocation): InvocationStep[] {
  const reported = new Map(
    facts.reportedSteps.map((step) => {
      // The reason is text of the device, which can contain a secret URL that it was given.
      const reason = step.reason === null ? null : maskSecrets(step.reason, facts.secrets);
      return [step.index, { ...step, reason }];
    }),
  );
  return facts.documentSteps.map(({ phase, step }, index) => ({
    index,
    name: step.name,
    action: step.action,
    state: isFinal(row.state) ? 'Skipped' : 'Pending',
    exitCode: null,
    startedAt: null,
    endedAt: null,
    reason: null,
    ...reported.get(index),
    phase,
  }));
}

/**
 * Whether the screen stops waiting for a result: after ten minutes without news (docs/design/decisions.md, section 4).
 * The state is not changed. While the device is known to be offline, no news is expected; the time starts when it is
 * back.
 */
function hasGoneSilent({ row, facts }: FoundInvocation, now: Date): boolean {
  const { connectivity, connectivitySince } = facts;
  if (isFinal(row.state) || connectivity === 'offline' || connectivity === 'never') return false;
  const latest = facts.newsAt ?? row.startedAt ?? row.sentAt ?? row.queuedAt;
  const since = Math.max(Date.parse(latest), connectivitySince ? Date.parse(connectivitySince) : 0);
  return now.getTime() - since > INVOCATION_WAIT_LIMIT_MS;
}
