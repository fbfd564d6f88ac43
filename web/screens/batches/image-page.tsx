// A document of a batch that is an image, which is one page.
import { useEffect, useRef } from 'react';
import { IMAGE_POINTS } from '#contract/recognition-words.ts';
import { ImageView, type ImageViewProps } from '#web/parts/viewer/image-view.tsx';
import { Marks, type MarksProps } from './marks.tsx';

interface Pointing {
  /** Each new one leads to what was asked for once. */
  target: object | null;
}

/** What was asked for comes into sight, also where the image is larger than its pane. */
function ImageMarks({ target, ...shown }: MarksProps & Pointing) {
  const first = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (target !== null) first.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [target]);
  return <Marks {...shown} first={first} />;
}

export type ImagePageProps = Omit<ImageViewProps, 'over'> & Pick<MarksProps, 'marks' | 'pointed'> & Pointing;

export function ImagePage({ marks, pointed, target, ...image }: ImagePageProps) {
  return (
    <ImageView
      {...image}
      over={({ width, height }) => {
        const scale = IMAGE_POINTS / Math.max(width, height);
        const size = { width: scale * width, height: scale * height };
        return <ImageMarks marks={marks} pointed={pointed} target={target} size={size} />;
      }}
    />
  );
}
