import { listSearchDefaults, listSearchFields } from '../shell/list-search.ts';
import { searchSchema } from '../shell/search-schema.ts';

export const rolesSearch = searchSchema({ ...listSearchFields });
export const rolesDefaults = { ...listSearchDefaults } as const;
