import {
  erasePersonInput,
  personReferenceInput,
  type ErasurePreview,
  type ErasureProgress,
  type PersonErased,
  type PersonRecordExport,
} from '@deviceportal/contract/personal-data';
import type { HistorySources } from '../audit-trail/archive/list-archived-events.ts';
import { permitted, router } from '../platform/api.ts';
import { erasePerson } from './erase/erase-person.ts';
import { readErasureProgress } from './erase/erasure-progress.ts';
import { previewErasure } from './erase/preview-erasure.ts';
import type { PersonalDataDeps } from './personal-data-deps.ts';
import { exportOwnRecord, exportRecord } from './record/export-record.ts';

/** Erasure and export of personal data. */
export function createPersonalDataRouter(deps: PersonalDataDeps & HistorySources) {
  return router({
    preview: permitted('people:erase')
      .input(personReferenceInput)
      .query(({ ctx, input }): Promise<ErasurePreview> => previewErasure(deps, ctx.viewer, input)),
    erase: permitted('people:erase', 'destroys')
      .input(erasePersonInput)
      .mutation(({ ctx, input }): Promise<PersonErased> => erasePerson(deps, ctx, input)),
    progress: permitted('people:erase')
      .input(personReferenceInput)
      .query(({ ctx, input }): Promise<ErasureProgress | null> =>
        readErasureProgress(deps, ctx.viewer, input),
      ),
    export: permitted('people:export', 'reveals-personal-data')
      .input(personReferenceInput)
      .mutation(({ ctx, input, signal }): Promise<PersonRecordExport> =>
        exportRecord(deps, ctx, { reference: input, signal }),
      ),
    exportOwn: permitted('session', 'reveals-personal-data').mutation(
      ({ ctx, signal }): Promise<PersonRecordExport> => exportOwnRecord(deps, ctx, signal),
    ),
  });
}
