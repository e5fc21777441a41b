import type { Plugin } from 'vite';

/** A module of Cloudscape that the build changes. */
export interface Edited {
  /** The end of the path of the module. */
  readonly module: string;
  /** Code in the module, which must occur once, and its replacement. */
  readonly edits: readonly (readonly [string, string])[];
  readonly added?: string;
}

/** Changes modules of Cloudscape in a build, and fails if one of them is written in another way. */
export function editModules(name: string, modules: readonly Edited[]): Plugin {
  const missing = new Set(modules.map(({ module }) => module));
  return {
    name,
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/node_modules\/@cloudscape-design\// },
      handler(code, id) {
        const edited = modules.find(({ module }) => id.endsWith(module));
        if (edited === undefined) return null;
        missing.delete(edited.module);
        return { code: withEdits(code, edited), map: null };
      },
    },
    buildEnd(error) {
      if (error === undefined && missing.size > 0)
        this.error(`Cloudscape no longer has ${[...missing].join(', ')}.`);
    },
  };
}

function withEdits(code: string, { module, edits, added = '' }: Edited): string {
  let result = code;
  for (const [before, after] of edits) {
    if (result.split(before).length !== 2)
      throw new Error(`Cloudscape’s ${module} is written in another way.`);
    result = result.replace(before, () => after);
  }
  return `${result}\n${added}`;
}
