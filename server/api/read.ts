import { z } from 'zod';
import { type Failure, isFailure } from '#server/api/failures.ts';
import { documentedOk, type Outcome, operation, outcomeOf, trpc, unstated } from '#server/api/procedure.ts';
import { quoted } from '#server/api/received-kind.ts';
import { listEmployeesForKey } from '#server/employees/employees.ts';

const reads = ['ping', 'karyawan'] as const;
const description = '`ping` checks the key; `karyawan` lists the employees.';

/** The two things that a key may read, by the parameter `aksi`, which came once. */
export const ReadInput = z.object({
  aksi: z
    .string()
    .transform(
      (aksi): (typeof reads)[number] | Failure =>
        reads.find((name) => name === aksi) ?? {
          code: 'aksi_unknown',
          field: 'aksi',
          parameters: { came: quoted(aksi) },
        },
    )
    .meta({
      override: { type: 'string', enum: [...reads], description, examples: ['ping'] },
      param: { required: true, description },
    }),
});

const Employee = z
  .object({
    user_id: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .meta({ description: 'Employee id, the target of a notification.', examples: [7] }),
    nama: z.string().meta({ description: 'Name.', examples: ['Karyawan Satu'] }),
    peran: z.string().meta({ description: 'Role.', examples: ['Kasir'] }),
  })
  .meta({ id: 'Employee', override: unstated });

/**
 * The answers to both reads: `key` and `perusahaan`, or `karyawan`, which has every employee,
 * active or not, by `user_id`. One object with optional fields, because generated Kotlin and Go
 * fail on a union without a discriminator.
 */
export const ReadAnswer = z
  .object({
    ok: documentedOk(true),
    key: z
      .string()
      .optional()
      .meta({ description: 'Answer to `aksi=ping`: name of the key used.', examples: ['n8n gaji'] }),
    perusahaan: z
      .string()
      .optional()
      .meta({ description: 'Answer to `aksi=ping`: name of the company that owns the key.', examples: ['PT Contoh'] }),
    karyawan: z
      .array(Employee)
      .optional()
      .meta({ description: 'Answer to `aksi=karyawan`: every employee of the company.' }),
  })
  .meta({
    id: 'ReadAnswer',
    description: 'Answer to `aksi=ping` (`key` and `perusahaan`) or to `aksi=karyawan` (`karyawan`).',
    override: unstated,
  });

const meta = operation({
  method: 'GET',
  operationId: 'read',
  summary: 'Check the key, or list the employees',
  description:
    '`aksi=ping` checks that the key works; `aksi=karyawan` lists every employee of the company (active or not) by `user_id`. `aksi` must be given exactly once. `HEAD` gives the same status and headers without a body.',
});

export const read = trpc.procedure
  .meta(meta)
  .input(ReadInput)
  .output(outcomeOf(ReadAnswer))
  .query(async ({ ctx: { key }, input: { aksi } }): Promise<Outcome<z.output<typeof ReadAnswer>>> => {
    if (!key) throw new Error('a read needs an authenticated key');
    if (isFailure(aksi)) return { result: aksi };
    if (aksi === 'ping') return { result: { ok: true, key: key.name, perusahaan: key.companyName } };
    const employees = await listEmployeesForKey(key);
    const karyawan = employees.map(({ id, name, role }) => ({ user_id: id, nama: name, peran: role }));
    return { result: { ok: true, karyawan } };
  });
