import { idSchema } from '@deviceportal/contract/ids';

/** The ID of a device as the partition key of a table, where upper case would be another key. */
export const tableDeviceIdSchema = idSchema.refine(
  (id) => id === id.toLowerCase(),
  'must be in lower case',
);
