import { randomUUID } from 'node:crypto';
import type { AirBlastDetail, AirBlastStep } from '@deviceportal/contract/air-blast';
import { until } from '../gateway-fixture.ts';
import type { PortalPerson } from '../portal-person.ts';

const STEP_LIMIT_MS = 60_000;

/** Plans a rollout of a script on these devices: one canary, then waves of a half and the rest. */
export function planScript(
  person: PortalPerson,
  { name, script, deviceIds }: { name: string; script: string; deviceIds: readonly string[] },
): Promise<AirBlastDetail> {
  return person.mustOrder('airBlast.plan', {
    name,
    change: { kind: 'document', document: 'DevicePortal-shell', parameters: { script } },
    target: { kind: 'devices', deviceIds },
    options: { canaryPercent: 1, wavePercents: [50, 100], maxConcurrency: '1' },
    idempotencyKey: randomUUID(),
  });
}

/** Assumes the role and starts the next step, on whichever server the person uses. */
export async function startNextStep(person: PortalPerson, id: string): Promise<AirBlastDetail> {
  await person.mustOrder('airBlast.assumeRole', { id });
  const { nextStep } = await person.mustOrder<AirBlastDetail>('airBlast.renewToken', { id });
  const { step, token, devices } = nextStep ?? {};
  const confirmation = String(devices);
  return person.mustOrder('airBlast.startStep', { id, step, token, confirmation });
}

/** Resolves with the run when a step of it is done; retries while a server is unavailable. */
export function untilStepDone(
  person: PortalPerson,
  id: string,
  step: AirBlastStep,
): Promise<AirBlastDetail> {
  return until(async () => {
    const { data } = await person.ask('airBlast.get', { id }).catch(() => ({ data: undefined }));
    const run = data as AirBlastDetail | undefined;
    if (run?.state === 'failed') throw new Error(JSON.stringify(run.steps));
    return run?.step === step && run.stepState === 'done' && run;
  }, STEP_LIMIT_MS);
}
