import type { Setting } from '../../apps/server/src/platform/config/setting.ts';
import { settings } from '../../apps/server/src/platform/config/settings.ts';
import { code, GENERATED, table, type ReferencePage } from './markdown.ts';

export function configurationPage(): ReferencePage {
  const all: readonly Setting<unknown>[] = Object.values(settings);
  const groups = [...new Set(all.map((setting) => setting.group))];
  const sections = groups.map((group) => {
    const rows = all.filter((setting) => setting.group === group).map(toRow);
    return `## ${group}\n\n${table(['Option', 'Variable', 'Values', 'Default', 'Meaning'], rows)}`;
  });
  return {
    file: 'configuration.md',
    text: `${GENERATED}

# Configuration

Pass options after \`npm start --\`. An option overrides its environment variable. An unknown option, an unknown
\`DEVICEPORTAL_*\` variable, or contradictory settings stop the start with one line. With \`NODE_ENV=production\`,
insecure development defaults are rejected.

${sections.join('\n\n')}
`,
  };
}

function toRow(setting: Setting<unknown>): string[] {
  const flag = setting.flag ?? setting.bareFlag?.name;
  const note = setting.secret === undefined ? '' : ' Never logged.';
  return [
    flag === undefined ? '' : code(`--${flag}`),
    code(setting.env),
    setting.type,
    code(setting.defaultText),
    setting.description + note,
  ];
}
