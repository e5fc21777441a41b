import { drawDataOwnership } from './draw-data-ownership.ts';
import { code, GENERATED, table, type ReferencePage } from './markdown.ts';
import type { DataOwnership } from './read-data-ownership.ts';

export function dataOwnershipPage(ownership: DataOwnership): ReferencePage {
  const slices = [...new Set(ownership.tables.map(({ slice }) => slice))];
  const sections = slices.map((slice) => {
    const users = ownership.uses.filter(([, owner]) => owner === slice).map(([user]) => user);
    const rows = ownership.tables
      .filter((each) => each.slice === slice)
      .map(({ name, about }) => [code(name), about]);
    const usedBy = users.length === 0 ? '' : `Used by ${users.map(code).join(', ')}.\n\n`;
    return `## ${slice}\n\n${usedBy}${table(['Table', 'Holds'], rows)}`;
  });
  return {
    file: 'data-ownership.md',
    text: `${GENERATED}

# Data ownership

Every table belongs to the slice of the server that declares it. A slice uses the data of another slice through queries
and read fragments that the owner exports from its \`data\` folder. The schema \`identity\` belongs to
\`packages/identity\` and is not listed here.

${drawDataOwnership(ownership)}

${sections.join('\n\n')}
`,
  };
}
