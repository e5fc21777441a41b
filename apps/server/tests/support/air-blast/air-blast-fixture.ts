import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import {
  AIR_BLAST_APPROVAL_DEVICES,
  planAirBlastInput,
  type AirBlastDetail,
  type PlanAirBlastInput,
} from '@deviceportal/contract/air-blast';
import type { StatusDetails } from '@deviceportal/contract/states';
import { advanceAirBlasts } from '../../../src/air-blast/steps/advance-air-blast.ts';
import type { AirBlastDeps } from '../../../src/air-blast/air-blast-deps.ts';
import { assumeOperatorRole } from '../../../src/air-blast/change-operator.ts';
import { getAirBlast } from '../../../src/air-blast/get-air-blast.ts';
import { createNextStepTokens } from '../../../src/air-blast/steps/next-step-token.ts';
import { planAirBlast } from '../../../src/air-blast/plan/plan-air-blast.ts';
import { startStep } from '../../../src/air-blast/steps/start-step.ts';
import { createTimedRole } from '../../../src/air-blast/timed-role.ts';
import { systemActor } from '../../../src/audit-trail/record-audit.ts';
import { endInvocations } from '../../../src/commands/execution/end-invocations.ts';
import type { OpenInvocation } from '../../../src/commands/data/execution/open-invocation-queries.ts';
import { inTransaction, type Database } from '../../../src/platform/database/database.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { createCommandFixture, origin, type CommandFixture } from '../command-fixture.ts';

export interface AirBlastFixture extends Omit<CommandFixture, 'deps'> {
  readonly deps: AirBlastDeps;
  /** A plan on these devices, by default with the document of `storage/clean`. */
  plan(viewer: Viewer, deviceIds: readonly string[], over?: PlanOver): Promise<AirBlastDetail>;
  /** Assumes the role and starts the next step. */
  next(viewer: Viewer, run: AirBlastDetail, confirmation?: string): Promise<AirBlastDetail>;
  /** One round of the worker. */
  round(): Promise<void>;
  /** Lets devices respond to everything that is open for them. */
  answer(outcomeOf?: (deviceId: string) => StatusDetails): Promise<number>;
  /** Alternates responses and rounds until nothing is open. */
  settle(
    run: AirBlastDetail,
    viewer: Viewer,
    outcomeOf?: (deviceId: string) => StatusDetails,
  ): Promise<AirBlastDetail>;
}

type PlanOver = Partial<Omit<PlanAirBlastInput, 'options'>> & {
  readonly options?: Partial<PlanAirBlastInput['options']>;
};

export async function createAirBlastFixture(
  database: Database,
  over: Partial<AirBlastDeps> = {},
): Promise<AirBlastFixture> {
  const fixture = await createCommandFixture(database);
  const { clock } = fixture.deps;
  const deps: AirBlastDeps = {
    ...fixture.deps,
    signReportUrl: ({ id, format }) => `/air-blast-report/${id}.${format}`,
    tokens: createNextStepTokens(randomBytes(32)),
    role: createTimedRole({ clock }),
    signApproval: signTestApproval,
    approvalSignatures: (text) => [signTestApproval(text)],
    approvalDevices: AIR_BLAST_APPROVAL_DEVICES,
    named: { supportedCountries: ['DE', 'FR'] },
    ...over,
  };
  const round = () =>
    advanceAirBlasts(deps, (error) => {
      throw error;
    });
  const answer = (outcomeOf: (deviceId: string) => StatusDetails = () => 'Success') =>
    answerOpen(database, outcomeOf);
  return {
    ...fixture,
    deps,
    round,
    answer,
    plan: (viewer, deviceIds, { options, ...overrides } = {}) =>
      planAirBlast(deps, viewer, {
        ...planAirBlastInput.parse({
          name: 'a change',
          change: { kind: 'document', document: 'DevicePortal-storage-clean' },
          target: { kind: 'devices', deviceIds: [...deviceIds] },
          options,
          idempotencyKey: randomUUID(),
          ...overrides,
        }),
        origin,
      }),
    async next(viewer, { id }, typed) {
      const run = await assumeOperatorRole(deps, viewer, { id, origin });
      const { step, token, devices } = run.nextStep ?? {};
      if (step === undefined) throw new Error(`no step to start in ${run.state}`);
      const confirmation = typed ?? (step === 'blast' ? String(devices) : '');
      return startStep(deps, viewer, { id, step, token: token ?? '', confirmation, origin });
    },
    async settle({ id }, viewer, outcomeOf) {
      for (let rounds = 0; rounds < 50; rounds += 1) {
        await round();
        if ((await answer(outcomeOf)) === 0) break;
      }
      await round();
      return getAirBlast(deps, viewer, id);
    },
  };
}

async function answerOpen(
  database: Database,
  outcomeOf: (deviceId: string) => StatusDetails,
): Promise<number> {
  return inTransaction(database, async (tx) => {
    const { rows } = await tx.execute<OpenInvocation & Record<string, unknown>>(sql`
      select id, run_id as "runId", device_id as "deviceId", state from invocation where ended_at is null order by id for update`);
    const byOutcome = Map.groupBy(rows, ({ deviceId }) => outcomeOf(deviceId));
    for (const [statusDetails, ended] of byOutcome) {
      await endInvocations(tx, ended, {
        statusDetails,
        audit: 'command.finished',
        actor: systemActor,
      });
    }
    return rows.length;
  });
}

function signTestApproval(text: string): string {
  return createHmac('sha256', 'test').update(text).digest('hex');
}
