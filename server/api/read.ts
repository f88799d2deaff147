import { z } from 'zod';
import { type Failure, isFailure } from '#server/api/failures.ts';
import { documentedOk, type Outcome, operation, outcomeOf, trpc, unstated } from '#server/api/procedure.ts';
import { listEmployeesForKey } from '#server/employees/employees.ts';

const reads = ['ping', 'karyawan'] as const;

/** The two things that a key may read, by the parameter `aksi`, which came once. */
export const ReadInput = z.object({
  aksi: z
    .string()
    .transform(
      (aksi): (typeof reads)[number] | Failure =>
        reads.find((name) => name === aksi) ?? { code: 'aksi_unknown', field: 'aksi' },
    )
    .meta({
      override: { type: 'string', enum: [...reads], description: 'aksi', examples: ['ping'] },
      param: { required: true, description: 'aksi' },
    }),
});

const Employee = z
  .object({
    user_id: z
      .int32()
      .min(1)
      .meta({ description: 'employeeId', examples: [7] }),
    nama: z.string().meta({ description: 'employeeName', examples: ['Karyawan Satu'] }),
    peran: z.string().meta({ description: 'employeeRole', examples: ['Kasir'] }),
  })
  .meta({ id: 'Employee', override: unstated });

/**
 * The answers to both reads: `key` and `perusahaan`, or `karyawan`, every employee by `user_id`. One object, because
 * generated Kotlin and Go fail on a union without a discriminator.
 */
export const ReadAnswer = z
  .object({
    ok: documentedOk(true),
    key: z.optional(z.string()).meta({ description: 'keyName', examples: ['n8n gaji'] }),
    perusahaan: z.optional(z.string()).meta({ description: 'companyName', examples: ['PT Contoh'] }),
    karyawan: z.array(Employee).optional().meta({ description: 'employees' }),
  })
  .meta({ id: 'ReadAnswer', description: 'readAnswer', override: unstated });

const meta = operation({ method: 'GET', operationId: 'read', summary: 'readSummary', description: 'read' });

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
