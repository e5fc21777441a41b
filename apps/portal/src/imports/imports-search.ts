import { choiceField, searchSchema } from '../ui/search-schema.ts';

export const importsSearch = searchSchema({ kind: choiceField('devices', 'people') });
export const importsDefaults = { kind: 'devices' } as const;
