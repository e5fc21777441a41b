import { listSearchDefaults, listSearchFields } from '../shell/list-search.ts';
import { searchSchema } from '../shell/search-schema.ts';

export const usersSearch = searchSchema({ ...listSearchFields });
export const usersDefaults = { ...listSearchDefaults } as const;
