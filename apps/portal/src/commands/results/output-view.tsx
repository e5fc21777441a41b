import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { INVOCATION_OUTPUT_LIMIT_BYTES } from '@deviceportal/contract/constants';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { saveText } from './save-text.ts';
import type { MergedOutput } from './output-merge.ts';

export interface OutputViewProps {
  readonly stream: 'stdout' | 'stderr';
  readonly output: MergedOutput;
  readonly running: boolean;
  readonly fileName: string;
}

/** One output stream, updated live. States if it was truncated at the limit of 10 MiB. */
export function OutputView({ stream, output, running, fileName }: OutputViewProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const label = t(`commands.output.${stream}`);
  const empty = output.text === '';
  return (
    <SpaceBetween size="xs">
      <Header
        variant="h3"
        {...(empty
          ? {}
          : {
              actions: (
                <Button
                  iconName="download"
                  onClick={() => saveText(`${fileName}.${stream}.txt`, output.text)}
                >
                  {t('commands.output.download')}
                </Button>
              ),
            })}
      >
        {label}
      </Header>
      {empty ? (
        <Box color="text-body-secondary">
          {running ? t('commands.output.waiting') : t('commands.output.none')}
        </Box>
      ) : (
        <CodeBlock
          text={output.text}
          label={label}
          follow={running}
          footer={
            output.truncated ? (
              <Box color="text-status-warning">
                {t('commands.output.cut', { limit: format.bytes(INVOCATION_OUTPUT_LIMIT_BYTES) })}
              </Box>
            ) : null
          }
        />
      )}
    </SpaceBetween>
  );
}
