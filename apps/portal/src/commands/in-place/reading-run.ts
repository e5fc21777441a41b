import type { CommandForm } from '@deviceportal/contract/commands';
import { fieldIssuesOf, initialFields, parametersOf } from '../form/form-model.ts';
import { initialOptions } from '../form/run-options.ts';
import type { RemedyRun } from './remedy-run.ts';

/**
 * The run of a remedy on its device. Null if it needs the form: the document does more than read,
 * cannot be run, or has parameters without a value.
 */
export function readingRun(form: CommandForm, { command, deviceId, parameters }: RemedyRun) {
  const isReady = form.consequence === 'reads' && form.allowed && form.documentState === 'active';
  const fields = initialFields(form.parameters, parameters ?? {});
  if (!isReady || fieldIssuesOf(form.parameters, fields).size > 0) return null;
  return {
    command,
    // The version that was checked runs, even if another becomes the default.
    document: `${form.documentName ?? ''}:${form.documentVersion}`,
    target: { kind: 'devices' as const, deviceIds: [deviceId] },
    parameters: parametersOf(form.parameters, fields),
    ...initialOptions,
  };
}
