import type { ReactNode } from 'react';
import { type Piece, splitMarks } from '#server/notifications/text-marks.ts';

const tags = { bold: 'strong', italic: 'em', struck: 's' } as const;

function MarkedPiece({ text, marks: [mark, ...inner] }: Piece): ReactNode {
  if (!mark) return text;
  const Tag = tags[mark];
  return (
    <Tag>
      <MarkedPiece text={text} marks={inner} />
    </Tag>
  );
}

/** The title of a message as a heading: with the marks of its text, whatever its direction. */
export const MarkedTitle = ({ text }: { text: string }) => (
  <bdi className="wrapping">
    <MarkedText text={text} />
  </bdi>
);

/** The title or text of a message with the marks of WhatsApp: bold, italic and struck, never a link. */
export const MarkedText = ({ text }: { text: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text
  splitMarks(text).map((piece, index) => <MarkedPiece key={index} {...piece} />);
