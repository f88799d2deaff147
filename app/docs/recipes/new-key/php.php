<?php
$request = curl_init('{{url}}');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_HTTPHEADER => ['X-API-Key: {{key}}', 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => '{"judul":"{{title}}","isi":"{{body}}"}',
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($request);
