import { refuseUnread } from '#server/api/handle.ts';

/** Every address below /api/ that is none answers like the interface itself: in JSON, without a redirect. */
function answerUnknown(request: Request): Response {
  const { status, headers, body } = refuseUnread('address_unknown', request.headers.get('accept-language'));
  const { 'Content-Length': _, ...rest } = headers;
  return new Response(body, { status, headers: rest });
}

export {
  answerUnknown as DELETE,
  answerUnknown as GET,
  answerUnknown as HEAD,
  answerUnknown as OPTIONS,
  answerUnknown as PATCH,
  answerUnknown as POST,
  answerUnknown as PUT,
};
