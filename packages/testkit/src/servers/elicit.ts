#!/usr/bin/env node
import { createElicitServer } from './elicit-server.ts'
import { serve } from './serve.ts'

void serve(createElicitServer)
