<?php

require __DIR__ . '/vendor/autoload.php';

use GuzzleHttp\Client;
use GuzzleHttp\Exception\GuzzleException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;

$mayRetry = fn ($retries, $request, $response, $problem) =>
    $retries < 3 && ($problem || in_array($response->getStatusCode(), [429, 502, 503, 504]));
$wait = fn ($retries, $response) =>
    1000 * (int) ($response && $response->hasHeader('Retry-After') ? $response->getHeaderLine('Retry-After') : 5);

$stack = HandlerStack::create();
$stack->push(Middleware::retry($mayRetry, $wait));
$client = new Client(['handler' => $stack, 'timeout' => 15, 'http_errors' => false]);

$fields = ['judul' => $argv[1], 'isi' => $argv[2]];
if (isset($argv[3])) {
    $fields['user_id'] = $argv[3];
}

try {
    $response = $client->post('{{base}}/api/v1/notif.php', [
        'headers' => ['X-API-Key' => getenv('NOTIF_KEY'), 'Idempotency-Key' => bin2hex(random_bytes(16))],
        'json' => $fields,
    ]);
} catch (GuzzleException $problem) {
    fwrite(STDERR, $problem->getMessage() . PHP_EOL);
    exit(1);
}

$answer = json_decode((string) $response->getBody(), true);
if ($response->getStatusCode() !== 200) {
    fwrite(STDERR, "HTTP {$response->getStatusCode()}: " . ($answer['error'] ?? $response->getReasonPhrase()) . PHP_EOL);
    exit(1);
}
echo "terkirim: {$answer['terkirim']}", PHP_EOL;
