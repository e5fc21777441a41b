import type { AirBlastFacts, AirBlastWave } from '@deviceportal/contract/air-blast';
import { commandHref } from '../../commands/command-href.ts';

type Run = Pick<AirBlastFacts, 'component' | 'documentName' | 'documentVersion' | 'options'>;

/** The link to the command run of a wave, or to the result of one of its devices. */
export function runOfWaveHref(
  run: Run,
  { runId, step }: { readonly runId: string; readonly step: AirBlastWave['step'] },
  invocation?: string,
): string {
  const { verifyDocument } = run.options;
  const shown = { run: runId, invocation };
  if (step === 'verify' && verifyDocument !== null) {
    return commandHref('document', { document: verifyDocument, ...shown });
  }
  return run.component === null
    ? commandHref('document', { document: `${run.documentName}:${run.documentVersion}`, ...shown })
    : commandHref('software/install', shown);
}
