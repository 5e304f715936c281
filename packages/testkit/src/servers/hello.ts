#!/usr/bin/env node
import { createHelloServer } from './hello-server.ts'
import { serve } from './serve.ts'

void serve(createHelloServer)
