import { trpc } from '#server/api/procedure.ts';
import { read } from '#server/api/read.ts';
import { send } from '#server/api/send.ts';

/** All that a key may do: ping and list (GET), send (POST). */
export const router = trpc.router({ read, send });

export const createCaller = trpc.createCallerFactory(router);
