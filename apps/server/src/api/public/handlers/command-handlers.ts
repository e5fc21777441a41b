import type { TargetPreview } from '@deviceportal/contract/command-targets';
import { refuse } from '@deviceportal/contract/refuse';
import type { OperationBody, OperationOutput } from '@deviceportal/contract/public-api';
import type { RunDetail } from '@deviceportal/contract/runs';
import type { Handlers, PortalCaller } from '../operation-call.ts';
import { deviceIdsOf } from './device-handlers.ts';
import { invocationOf } from '../objects/invocation-of.ts';
import { runOf } from '../objects/run-of.ts';

const MOST_REPORTED = 1_000;
const PAGE = 100;

export const commandHandlers: Handlers<
  | 'listCommands'
  | 'createRun'
  | 'listRuns'
  | 'getRun'
  | 'listRunInvocations'
  | 'getInvocation'
  | 'cancelRun'
  | 'getRunReport'
> = {
  async listCommands({ portal }) {
    const commands = await portal.commands.list();
    return {
      items: commands.map(
        ({ command, description, documentName, consequence, platforms, allowed }) => ({
          ...{ command, description, document: documentName, consequence, allowed },
          platforms: [...platforms],
        }),
      ),
    };
  },
  async createRun({ body, portal, inCase, repeatKey = '', isRepeated }) {
    // The devices or the case can have changed since.
    if (isRepeated) return runDetailOf(await findStartedRun(portal, body, repeatKey));
    const acting = body.caseId === undefined ? portal : await inCase(body.caseId);
    return runDetailOf(await startRun(acting, body, repeatKey));
  },
  async listRuns({ portal, query }) {
    const { mine = false, active = false, pageSize, cursor = null } = query;
    const { rows, nextCursor } = await portal.commands.listRuns({
      ...{ mine, active, pageSize, cursor },
    });
    return { items: rows.map(runOf), nextCursor };
  },
  getRun: async ({ portal, params }) =>
    runDetailOf(await portal.commands.getRun({ id: params.run })),
  async listRunInvocations({ portal, params, query: { state = [], pageSize, cursor = null } }) {
    const { rows, nextCursor } = await portal.commands.listInvocations({
      ...{ runId: params.run, states: state, pageSize, cursor },
    });
    return { items: rows.map(invocationOf), nextCursor };
  },
  async getInvocation({ portal, params, query }) {
    const found = await portal.commands.getInvocation({ id: params.invocation, ...query });
    const { stdout, stderr, expiresAt } = found;
    return {
      ...invocationOf(found),
      ...{ stdout: { ...stdout }, stderr: { ...stderr }, expiresAt },
      steps: found.steps.map(({ name, action, state, exitCode, startedAt, endedAt, reason }) => ({
        ...{ name, action, state, exitCode, startedAt, endedAt, reason },
      })),
    };
  },
  cancelRun: async ({ portal, params }) =>
    runDetailOf(await portal.commands.cancelRun({ id: params.run })),
  async getRunReport({ portal, params }) {
    const run = await portal.commands.getRun({ id: params.run });
    const { answers, distinct, unread } = await portal.commands.listAnswers({ id: params.run });
    const { invocations, isWhole } = await invocationsOf(portal, params.run);
    return {
      run: runDetailOf(run),
      outputs: answers.map(({ statusDetails, responseCode, count, text }) => ({
        ...{ statusDetails, exitCode: responseCode, devices: count, text },
      })),
      ...{ distinctOutputs: distinct, invocations, complete: isWhole && unread === 0 },
    };
  },
};

/** A run reaches exactly the named devices, as in the portal, where they are shown before. */
async function startRun(
  portal: PortalCaller,
  body: OperationBody<'createRun'>,
  idempotencyKey: string,
): Promise<RunDetail> {
  const { command, document, parameters, reason, skipUnavailable } = body;
  const { timeoutSeconds, maxConcurrency, maxErrors } = body;
  const deviceIds = await deviceIdsOf(portal, body.devices);
  const target = { kind: 'devices' as const, deviceIds };
  const preview = await portal.commands.previewTarget({ command, document, target });
  if (!skipUnavailable) requireAvailable(preview, deviceIds.length);
  return portal.commands.run({
    ...{ command, document, target, parameters, comment: reason, idempotencyKey },
    ...{ timeoutSeconds, maxConcurrency, maxErrors },
    ...{ targetSha256: preview.sha256, targetCount: preview.count },
  });
}

/** The run of an earlier request with the same key. */
const findStartedRun = (
  portal: PortalCaller,
  { command }: OperationBody<'createRun'>,
  idempotencyKey: string,
): Promise<RunDetail> => portal.commands.run({ command, target: null, idempotencyKey });

/** A missing permission is reported by the run itself. @throws PortalError 2004 */
function requireAvailable({ excluded, count }: TargetPreview, wanted: number): void {
  const isOnlyForbidden = count === 0 && excluded.every(({ reason }) => reason === 'not-permitted');
  if (isOnlyForbidden || count >= wanted) return;
  const reasons = excluded.map((each) => `${each.reason} (${each.count})`).join(', ');
  throw refuse('devices-unavailable', {
    field: 'devices',
    facts: { count: wanted - count, reasons },
  });
}

async function invocationsOf(portal: PortalCaller, runId: string) {
  const invocations: OperationOutput<'getRunReport'>['invocations'] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<PortalCaller['commands']['listInvocations']>> =
      await portal.commands.listInvocations({ runId, pageSize: PAGE, cursor });
    invocations.push(...page.rows.map(invocationOf));
    cursor = page.nextCursor;
  } while (cursor !== null && invocations.length < MOST_REPORTED);
  return { invocations, isWhole: cursor === null };
}

function runDetailOf(run: RunDetail): OperationOutput<'getRun'> {
  const { consequence, maxConcurrency, maxErrors, timeoutSeconds, cancellable } = run;
  return { ...runOf(run), consequence, maxConcurrency, maxErrors, timeoutSeconds, cancellable };
}
