import Modal from '@cloudscape-design/components/modal';
import { useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { pictureUrl } from './guide-pictures.ts';

/** The size of screenshots. Reserves the space of a picture that is not loaded yet. */
const WIDTH_PX = 1_440;
const HEIGHT_PX = 900;

export interface GuidePictureProps {
  /** The alternative text. */
  readonly text: string;
  readonly path: string;
}

/** A picture of a guide, at most as wide as the text. A click opens it large. */
export function GuidePicture({ text, path }: GuidePictureProps): ReactNode {
  const t = useT();
  const [isLarge, setIsLarge] = useState(false);
  const src = pictureUrl(path);
  if (src === undefined) return null;
  const size = { width: WIDTH_PX, height: HEIGHT_PX };
  return (
    <>
      <button
        type="button"
        className="dp-guide-picture"
        title={t('help.picture.enlarge')}
        onClick={() => setIsLarge(true)}
      >
        <img {...size} src={src} alt={text} loading="lazy" decoding="async" />
      </button>
      {isLarge ? (
        <Modal
          visible
          size="max"
          header={text}
          closeAriaLabel={t('app.close')}
          onDismiss={() => setIsLarge(false)}
        >
          <div className="dp-guide-large" role="group" aria-label={text} tabIndex={0}>
            <img {...size} src={src} alt={text} />
          </div>
        </Modal>
      ) : null}
    </>
  );
}
