import { answerUnknown } from '#server/api/fetch-route.ts';

export {
  answerUnknown as DELETE,
  answerUnknown as GET,
  answerUnknown as HEAD,
  answerUnknown as OPTIONS,
  answerUnknown as PATCH,
  answerUnknown as POST,
  answerUnknown as PUT,
};
