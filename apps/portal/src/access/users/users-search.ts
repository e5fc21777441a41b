import { listSearchDefaults, listSearchFields } from '../../ui/list-search.ts';
import { searchSchema } from '../../ui/search-schema.ts';

export const usersSearch = searchSchema({ ...listSearchFields });
export const usersDefaults = { ...listSearchDefaults } as const;
