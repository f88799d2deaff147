/** HTML that `renderMarkdown` made. */
export function Html({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: `renderMarkdown` escapes all tags
  return <div className="docs-text" dangerouslySetInnerHTML={{ __html: html }} />;
}
