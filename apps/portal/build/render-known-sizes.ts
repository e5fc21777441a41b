import type { Plugin } from 'vite';
import { editModules, type Edited } from './edit-modules.ts';

/** Pixels of the top bar and of the bar below it, unless the window is narrow or a case is active. */
const HEADER = 57;
const TOOLBAR = 42;

const changes: readonly Edited[] = [
  {
    module: '/app-layout/utils/use-observed-element.js',
    edits: [
      [
        'const [height, setHeight] = useState(0);',
        `const [height, setHeight] = useState(selector === '#top-bar' ? ${HEADER} : 0);`,
      ],
    ],
  },
  {
    module: '/visual-refresh-toolbar/state/use-app-layout.js',
    edits: [
      [
        'const [toolbarHeight, setToolbarHeight] = useState(0);',
        `const [toolbarHeight, setToolbarHeight] = useState(${TOOLBAR});`,
      ],
    ],
  },
  {
    module: '/app-layout/visual-refresh-toolbar/index.js',
    edits: [['hasToolbar: false,', 'hasToolbar: true,']],
  },
  {
    // A changed property that is inherited computes the styles of every cell again.
    module: '/visual-refresh-toolbar/skeleton/index.js',
    edits: [
      [
        'React.createElement("div", { ...contentWrapperElAttributes, className:',
        `React.createElement("div", { style: {
          [globalVars.stickyVerticalTopOffset]: '${HEADER + TOOLBAR}px',
          [globalVars.stickyVerticalBottomOffset]: '0px',
        }, ...contentWrapperElAttributes, className:`,
      ],
      [
        '[customCssProps.navigationWidth]: `${navigationWidth}px`,',
        `[customCssProps.navigationWidth]: \`\${navigationWidth}px\`,
         [customCssProps.navigationCollapsedWidth]: '54px',
         [customCssProps.toolsWidth]: '290px',`,
      ],
    ],
    added: "import globalVars from '../../../internal/styles/global-vars';",
  },
  {
    // Otherwise, the top bar is first rendered for a narrow window, and is then 16 pixels higher.
    module: '/top-navigation/use-top-navigation.js',
    edits: [
      [
        "breakpoint: breakpoint !== null && breakpoint !== void 0 ? breakpoint : 'default',",
        "breakpoint: breakpoint ?? getMatchingBreakpoint(innerWidth, ['xxs', 's']),",
      ],
    ],
    added: "import { getMatchingBreakpoint } from '../internal/breakpoints';",
  },
  {
    // Buttons of a column that is resized with the keyboard. Otherwise, each column has a container and its listeners.
    module: '/components/drag-handle-wrapper/portal-overlay.js',
    edits: [
      [
        'const [container, setContainer] = useState(null);',
        `const [container, setContainer] = useState(null);
    const [isUsed, setUsed] = useState(!isDisabled);
    if (!isUsed && !isDisabled) setUsed(true);`,
      ],
      ['if (track.current) {', 'if (isUsed && track.current) {'],
      ['}, [track]);', '}, [track, isUsed]);'],
      [
        'return (React.createElement(Portal, { container: container },',
        'return !isUsed ? null : (React.createElement(Portal, { container: container },',
      ],
    ],
  },
];

/**
 * Lets Cloudscape’s layout render with the sizes that it will have, instead of zero until it has
 * measured them: each correction renders the layout and computes all styles once more before the
 * first paint. Other sizes are corrected as before.
 */
export function renderKnownSizes(): Plugin {
  return editModules('render-known-sizes', changes);
}
