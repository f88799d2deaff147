/** Texts of ours as they were rendered; in them HTML is shown, not meant. */
export function Html({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made from this project's own files, with every tag in them escaped
  return <div className="docs-text" dangerouslySetInnerHTML={{ __html: html }} />;
}
