import { softwareVersionState, type SoftwareVersionState } from '@deviceportal/contract/states';
import { registerSoftwareInput } from '@deviceportal/contract/versions';
import { z } from 'zod';
import type { TableLayout } from '../../platform/sources/table-feed.ts';

export const softwareTableLayout: TableLayout = {
  keys: ['component', 'version'],
  growing: 'revision',
};

const states = Object.keys(softwareVersionState) as [SoftwareVersionState];

/** The largest value of PostgreSQL's `integer`, less the changes of this installation. */
const MAX_REVISION = 2_000_000_000;

/** An item of the software version table. Its other attributes are ignored. */
export const softwareItemSchema = registerSoftwareInput.extend({
  /** Grows by one with every change. */
  revision: z.int().positive().max(MAX_REVISION),
  state: z.enum(states).default('draft'),
});

export type SoftwareItem = z.infer<typeof softwareItemSchema>;
