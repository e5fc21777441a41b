/**
 * Reports that a step wrote to `$DEVICEPORTAL_REPORT`, one JSON object per line:
 * `{"position":{…}}`, `{"software":[{"component","version"}]}`, `{"event":{"type","data"}}`,
 * `{"restart":"agent"}`.
 */

import { z } from 'zod';
import {
  deviceEventSchema,
  positionSchema,
  softwareSchema,
} from '@deviceportal/device-protocol/journal';
import type { StepContext } from './step-context.ts';

const reportSchema = z.strictObject({
  position: positionSchema
    .omit({ seq: true, at: true, kind: true })
    .extend({ source: positionSchema.shape.source.default('network') })
    .optional(),
  software: softwareSchema.shape.components.optional(),
  event: z
    .strictObject({
      type: deviceEventSchema.shape.type,
      data: deviceEventSchema.shape.data.default({}),
    })
    .optional(),
  restart: z.literal('agent').optional(),
});

/** Journals all reports. Returns the problem of the first invalid one, or null. */
export function applyReports(context: StepContext, reports: readonly unknown[]): string | null {
  for (const report of reports) {
    const parsed = reportSchema.safeParse(report);
    if (!parsed.success) return `report: ${z.prettifyError(parsed.error)}`;
    const { position, software, event, restart } = parsed.data;
    if (position) context.journal({ kind: 'position', ...position });
    if (software) context.journal({ kind: 'software', components: software });
    if (event) context.journal({ kind: 'event', ...event });
    if (restart) context.restartAgent();
  }
  return null;
}
